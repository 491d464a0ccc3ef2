# Every Perl probe ends with this part, which implements oversleep's protocol; `pause(seconds)` precedes it.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

# The clock as a floating-point number of seconds: up to 250 days after boot its steps are below 4 ns.
sub now { return int(clock_gettime(CLOCK_MONOTONIC) * 1e9) }

$| = 1;
my ($cost, $last) = (1e12, now());
for (1 .. 200) {
    my $next = now();
    $cost = $next - $last if $next - $last < $cost;
    $last = $next;
}
my $version = sprintf "%vd", $^V;
print "# oversleep-probe 1 clock=monotonic mode=sleep cost_ns=$cost runtime=Perl $version\n";
while (my $line = <STDIN>) {
    my ($request, $count) = split " ", $line;
    my ($seconds, @rows) = ($request / 1e9);
    for (1 .. $count) {
        my $start = now();
        pause($seconds);
        push @rows, "$request,$start," . now();
    }
    print join("\n", "requested_ns,start_ns,end_ns", @rows), "\n\n";
}
