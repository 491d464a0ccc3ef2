#include <oversleep.h>
#include <stdio.h>

int main(void) {
    int64_t start = oversleep_now();
    for (int frame = 1; frame <= 3; frame++) {
        int64_t late;
        int status = oversleep_sleep_until(start + frame * INT64_C(16666667), &late);
        if (status != OVERSLEEP_STATUS_OK) {
            fprintf(stderr, "%s\n", oversleep_status_text(status));
            return 1;
        }
        printf("frame %d was %lld ns late\n", frame, (long long)late);
    }
    return 0;
}
