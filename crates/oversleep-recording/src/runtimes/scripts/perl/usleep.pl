use Time::HiRes ();
sub pause { Time::HiRes::usleep($_[0] * 1e6) }
