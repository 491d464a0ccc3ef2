-- Which hosts of a fleet sleep unlike the others, why sleeps are late, and which kernel made it worse: the job of
-- contrib/spark/fleet.py for one machine.
--
--     duckdb -cmd "set variable dataset = 'DATASET'" -f fleet.sql
--
-- A host is compared with others that slept by the same method, for the same time, under the same conditions.

create or replace temp view sleeps as
    select host, release, recording, thread, start_ns, oversleep_ns, method, requested_ns, condition
    from read_parquet(getvariable('dataset') || '/sleeps/**/*.parquet', hive_partitioning = true)
    where flags & 4 = 0; -- calls that failed did not sleep

create or replace temp view findings as
    select * from read_parquet(getvariable('dataset') || '/findings/**/*.parquet', hive_partitioning = true);

-- What is compared: of fewer than ten hosts nobody can say which is unlike the others.
create or replace temp view compared as
    with of_host as (select method, requested_ns, condition, host, count(*) as sleeps from sleeps group by all)
    select method, requested_ns, condition, count(*) as hosts, count(*) filter (sleeps >= 300) as of_300_sleeps,
           case when of_300_sleeps >= 10 then 'compared' else 'too few hosts to compare: ten of 300 sleeps each are needed' end as verdict
    from of_host group by all order by hosts desc, method, requested_ns, condition;

-- p01 is what every sleep of a host pays: competition for the processor makes most sleeps later, and the best ones not.
-- Below 300 sleeps there is no first hundredth.
create or replace temp table hosts as
    select method, requested_ns, condition, host, max(release) as release, count(*) as sleeps,
           quantile_disc(oversleep_ns, 0.01) as p01, quantile_disc(oversleep_ns, 0.5) as p50
    from sleeps group by all having count(*) >= 300;

create or replace temp table fleet as
    with middle as (
        select method, requested_ns, condition, count(*) as hosts, quantile_disc(p01, 0.5) as p01 from hosts group by all)
    select m.method, m.requested_ns, m.condition, m.hosts, m.p01, quantile_disc(abs(h.p01 - m.p01), 0.5) as deviation
    from middle m join hosts h using (method, requested_ns, condition) group by all having m.hosts >= 10;

-- Later by ten deviations (as a normal distribution has them) and by at least 200 us, in every sleep.
create or replace temp view later as
    select host, 'every sleep' as kind, h.p01 - f.p01 as by_ns, null::double as period_s
    from hosts h join fleet f using (method, requested_ns, condition)
    where h.p01 - f.p01 > greatest(200000, 14.826 * f.deviation);

-- Sleeps more than 10 ms late; those less than a second after another belong to it.
create or replace temp view stalls as
    with late as (
        select host, recording, thread, method, requested_ns, condition, start_ns, oversleep_ns,
               start_ns - lag(start_ns) over of_thread as since
        from sleeps where oversleep_ns > 10000000
        window of_thread as (partition by host, recording, method, requested_ns, condition, thread order by start_ns))
    select host, recording, thread, method, requested_ns, condition, start_ns, oversleep_ns,
           start_ns - lag(start_ns) over of_thread as gap
    from late where since is null or since > 1000000000
    window of_thread as (partition by host, recording, method, requested_ns, condition, thread order by start_ns);

-- At least four gaps, of which four in five are within a tenth of their median: whatever it is, it comes by the clock.
create or replace temp view periodic as
    with usual as (
        select host, method, requested_ns, condition, quantile_disc(gap, 0.5) as period, count(gap) as gaps,
               quantile_disc(oversleep_ns, 0.5) as by_ns
        from stalls group by all having count(gap) >= 4)
    select host, 'periodic stall' as kind, max(u.by_ns) as by_ns, max(u.period) / 1e9 as period_s
    from usual u join stalls s using (host, method, requested_ns, condition)
    group by host, method, requested_ns, condition, u.gaps
    having count(*) filter (abs(s.gap - u.period) <= 0.1 * u.period) >= 0.8 * u.gaps;

create or replace temp view outliers as
    with found as (select * from later union all select * from periodic),
    worst as (select host, kind, max(by_ns) as by_ns, max_by(period_s, by_ns) as period_s from found group by host, kind),
    named as (select host, max_by(cause, share) as cause from findings where share > 0.5 and confidence > 0.9 group by host),
    open as (select host, max(candidates) as candidates from findings group by host)
    select worst.*, case when kind = 'periodic stall' then 'periodic-interference'
                         else coalesce(cause, 'undecided: ' || candidates) end as cause
    from worst left join named using (host) left join open using (host) order by by_ns desc, host;

-- In how many hosts a cause was found, and how much of the lateness it is there.
create or replace temp view causes as
    select cause, count(distinct host) as hosts, round(avg(share), 3) as share
    from findings where share is not null group by cause order by share desc, cause;

-- A kernel is worse than the one before if three quarters of its hosts are later than three quarters of that one's.
create or replace temp view regressions as
    with releases as (
        select method, requested_ns, condition, release, count(*) as hosts, quantile_disc(p50, 0.25) as low,
               quantile_disc(p50, 0.5) as p50, quantile_disc(p50, 0.75) as high
        from hosts group by all having count(*) >= 10),
    ordered as (
        select *, lag(release) over versions as before, lag(p50) over versions as p50_before, lag(high) over versions as high_before
        from releases
        window versions as (partition by method, requested_ns, condition
                            order by list_transform(regexp_extract_all(release, '\d+'), lambda part: part::int)))
    select release, before, hosts, p50 - p50_before as by_ns from ordered where low > high_before order by by_ns desc, release;

select * from compared;
select * from outliers;
select * from causes;
select * from regressions;
