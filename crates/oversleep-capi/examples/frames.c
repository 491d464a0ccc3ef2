#include <oversleep.h>
#include <stdio.h>

int main(void) {
    oversleep_sleeper *sleeper;
    int status = oversleep_sleeper_new(NULL, &sleeper);
    int64_t start = oversleep_now();
    for (int frame = 1; status == OVERSLEEP_STATUS_OK && frame <= 3; frame++) {
        int64_t late;
        status = oversleep_sleeper_sleep_until(sleeper, start + frame * INT64_C(16666667), &late);
        if (status == OVERSLEEP_STATUS_OK) {
            printf("frame %d was %lld ns late\n", frame, (long long)late);
        }
    }
    if (status != OVERSLEEP_STATUS_OK) {
        fprintf(stderr, "%s\n", oversleep_status_text(status));
    }
    oversleep_sleeper_free(sleeper);
    return status;
}
