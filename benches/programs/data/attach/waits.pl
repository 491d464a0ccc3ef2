# Waits of 5 ms by `select`.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my ($path, $count) = @ARGV;
my @rows;
for (1 .. $count) {
    my $start = clock_gettime(CLOCK_MONOTONIC);
    select(undef, undef, undef, 0.005);
    my $end = clock_gettime(CLOCK_MONOTONIC);
    push @rows, sprintf("5000000,%.0f,%.0f\n", $start * 1e9, $end * 1e9);
}
open(my $log, '>', $path) or die;
print $log @rows;
