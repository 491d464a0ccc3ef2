sub pause { select undef, undef, undef, $_[0] }
