#include <oversleep.h>
#include <stdio.h>

int main(void) {
    oversleep_sleeper *sleeper = oversleep_sleeper_new(NULL);
    if (sleeper == NULL) {
        return 1;
    }
    int64_t start = oversleep_now();
    for (int frame = 1; frame <= 3; frame++) {
        int64_t late;
        int status = oversleep_sleeper_sleep_until(sleeper, start + frame * INT64_C(16666667), &late);
        if (status != OVERSLEEP_STATUS_OK) {
            fprintf(stderr, "%s\n", oversleep_status_text(status));
            break;
        }
        printf("frame %d was %lld ns late\n", frame, (long long)late);
    }
    oversleep_sleeper_free(sleeper);
    return 0;
}
