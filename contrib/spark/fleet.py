"""Which hosts of a fleet sleep unlike the others, why sleeps are late, and which kernel made it worse.

    spark-submit fleet.py DATASET            # tables
    spark-submit fleet.py DATASET --json     # one JSON document

DATASET is what contrib/parquet/dataset.py writes, of any number of machines. A host
is compared with others that slept by the same method, for the same time, under the same conditions. contrib/duckdb/fleet.sql does
the same on one machine, and says why each limit is what it is.
"""

import argparse
import json

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

GROUP = ["method", "requested_ns", "condition"]
FEWEST_SLEEPS = 300
FEWEST_HOSTS = 10
LATER_NS = 200_000
DEVIATIONS = 14.826
STALL_NS = 10_000_000
SECOND = 1_000_000_000
FAILED = 4


def quantile(column: str, share: float):
    """A value that was seen: the least that at least this share of the others does not exceed."""
    return F.expr(f"percentile_disc({share}) within group (order by {column})")


def of_hosts(sleeps: DataFrame) -> DataFrame:
    """What every sleep of a host pays (p01), and its median."""
    figures = [F.max("release").alias("release"), F.count("*").alias("sleeps"),
               quantile("oversleep_ns", 0.01).alias("p01"), quantile("oversleep_ns", 0.5).alias("p50")]
    return sleeps.groupBy(*GROUP, "host").agg(*figures).where(F.col("sleeps") >= FEWEST_SLEEPS)


def compared(sleeps: DataFrame) -> DataFrame:
    """What is compared: of fewer than ten hosts nobody can say which is unlike the others."""
    enough = F.count_if(F.col("sleeps") >= FEWEST_SLEEPS)
    few = f"too few hosts to compare: ten of {FEWEST_SLEEPS} sleeps each are needed"
    found = sleeps.groupBy(*GROUP, "host").agg(F.count("*").alias("sleeps")).groupBy(*GROUP).agg(
        F.count("*").alias("hosts"), enough.alias("of_300_sleeps"))
    verdict = F.when(F.col("of_300_sleeps") >= FEWEST_HOSTS, "compared").otherwise(few)
    return found.withColumn("verdict", verdict).orderBy(F.desc("hosts"), *GROUP)


def later(hosts: DataFrame) -> DataFrame:
    middle = hosts.groupBy(*GROUP).agg(F.count("*").alias("hosts"), quantile("p01", 0.5).alias("usual"))
    beside = hosts.join(middle.where(F.col("hosts") >= FEWEST_HOSTS), GROUP).withColumn("by_ns", F.expr("p01 - usual"))
    deviation = (beside.withColumn("off", F.abs("by_ns")).groupBy(*GROUP).agg(quantile("off", 0.5).alias("deviation")))
    limit = F.greatest(F.lit(float(LATER_NS)), DEVIATIONS * F.col("deviation"))
    found = beside.join(deviation, GROUP).where(F.col("by_ns") > limit)
    return found.select("host", F.lit("every sleep").alias("kind"), "by_ns", F.lit(None).cast("double").alias("period_s"))


def periodic(sleeps: DataFrame) -> DataFrame:
    series = [*GROUP, "host"]
    in_order = Window.partitionBy(*series, "recording", "thread").orderBy("start_ns")
    since = F.col("start_ns") - F.lag("start_ns").over(in_order)
    late = sleeps.where(F.col("oversleep_ns") > STALL_NS).withColumn("since", since)
    begun = late.where(F.col("since").isNull() | (F.col("since") > SECOND)).withColumn("gap", since)
    usual = begun.groupBy(*series).agg(
        quantile("gap", 0.5).alias("period"), F.count("gap").alias("gaps"), quantile("oversleep_ns", 0.5).alias("by_ns"))
    beside = begun.select(*series, "gap").join(usual.where(F.col("gaps") >= 4), series)
    near = F.sum((F.abs(F.col("gap") - F.col("period")) <= 0.1 * F.col("period")).cast("int"))
    regular = beside.groupBy(*series, "period", "gaps", "by_ns").agg(near.alias("near"))
    found = regular.where(F.col("near") >= 0.8 * F.col("gaps"))
    return found.select("host", F.lit("periodic stall").alias("kind"), "by_ns", (F.col("period") / 1e9).alias("period_s"))


def outliers(sleeps: DataFrame, hosts: DataFrame, findings: DataFrame) -> DataFrame:
    worst = later(hosts).union(periodic(sleeps)).groupBy("host", "kind").agg(
        F.max("by_ns").alias("by_ns"), F.max_by("period_s", "by_ns").alias("period_s"))
    sure = findings.where("share > 0.5 and confidence > 0.9")
    named = sure.groupBy("host").agg(F.max_by("cause", "share").alias("cause"))
    left_open = findings.groupBy("host").agg(F.max("candidates").alias("candidates"))
    cause = F.when(F.col("kind") == "periodic stall", "periodic-interference").otherwise(
        F.coalesce("cause", F.concat(F.lit("undecided: "), "candidates")))
    beside = worst.join(named, "host", "left").join(left_open, "host", "left").withColumn("cause", cause).drop("candidates")
    return beside.orderBy(F.desc("by_ns"), "host")


def causes(findings: DataFrame) -> DataFrame:
    shares = findings.where("share is not null").groupBy("cause")
    found = shares.agg(F.countDistinct("host").alias("hosts"), F.round(F.avg("share"), 3).alias("share"))
    return found.orderBy(F.desc("share"), "cause")


def regressions(hosts: DataFrame) -> DataFrame:
    """A kernel is worse than the one before if three quarters of its hosts are later than three quarters of that one's."""
    quarters = [quantile("p50", share).alias(name) for name, share in [("low", 0.25), ("p50", 0.5), ("high", 0.75)]]
    releases = hosts.groupBy(*GROUP, "release").agg(F.count("*").alias("hosts"), *quarters)
    version = F.expr(r"transform(regexp_extract_all(release, '\\d+', 0), part -> int(part))")
    versions = Window.partitionBy(*GROUP).orderBy(version)
    before = [F.lag(name).over(versions).alias(f"{name}_before") for name in ("release", "p50", "high")]
    beside = releases.where(F.col("hosts") >= FEWEST_HOSTS).select("*", *before).where("low > high_before")
    worse = beside.select("release", F.col("release_before").alias("before"), "hosts", F.expr("p50 - p50_before").alias("by_ns"))
    return worse.orderBy(F.desc("by_ns"), "release")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dataset")
    arguments.add_argument("--json", action="store_true", help="print one JSON document")
    asked = arguments.parse_args()
    spark = SparkSession.builder.appName("oversleep fleet").getOrCreate()
    sleeps = spark.read.parquet(f"{asked.dataset}/sleeps").where(F.col("flags").bitwiseAND(FAILED) == 0)
    findings = spark.read.parquet(f"{asked.dataset}/findings")
    hosts = of_hosts(sleeps).cache()
    tables = {"compared": compared(sleeps), "outliers": outliers(sleeps, hosts, findings), "causes": causes(findings), "regressions": regressions(hosts)}
    if asked.json:
        print(json.dumps({name: [row.asDict() for row in table.collect()] for name, table in tables.items()}))
    else:
        for name, table in tables.items():
            print(name)
            table.show(100, truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
