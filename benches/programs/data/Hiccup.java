import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;

/** jHiccup's algorithm without its libraries: Hiccup SECONDS FILE.hlog. Values of up to 36 minutes, three digits. */
public final class Hiccup {
    private static final long INTERVAL = 1_000_000;
    private static final long[] COUNTS = new long[32 << 10];
    private static int last;
    private static long max;

    public static void main(String[] arguments) throws Exception {
        long lasts = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        long began = System.nanoTime();
        long shortest = Long.MAX_VALUE;
        double started = System.currentTimeMillis() / 1e3;
        for (long after = began; after - began < lasts; ) {
            long before = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(INTERVAL);
            after = System.nanoTime();
            shortest = Math.min(shortest, after - before);
            // recordValueWithExpectedInterval: the value, and one for each interval that it covers.
            long hiccup = after - before - shortest;
            record(hiccup);
            for (long missed = hiccup - INTERVAL; missed >= INTERVAL; missed -= INTERVAL) {
                record(missed);
            }
        }
        try (PrintWriter out = new PrintWriter(arguments[1])) {
            out.println("#[Logged with jHiccup's algorithm, Hiccup.java]");
            out.println("#[Histogram log format version 1.3]");
            out.printf("#[StartTime: %.3f (seconds since epoch)]%n", started);
            out.println("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"");
            out.printf("0.000,%.3f,%.3f,%s%n", lasts / 1e9, max / 1e6, encoded());
        }
    }

    /** Counts a value in its bucket: 2048 of one nanosecond, then 1024 of each doubled width. */
    private static void record(long value) {
        int doubled = 53 - Long.numberOfLeadingZeros(value | 2047);
        int index = (doubled << 10) + (int) (value >>> doubled);
        COUNTS[index]++;
        last = Math.max(last, index);
        max = Math.max(max, value);
    }

    /** Returns the compressed encoding, version 2, in base64. */
    private static String encoded() {
        ByteArrayOutputStream counts = new ByteArrayOutputStream();
        for (int index = 0; index <= last; ) {
            int zeros = 0;
            while (index + zeros <= last && COUNTS[index + zeros] == 0) {
                zeros++;
            }
            long number = zeros > 0 ? -zeros : COUNTS[index];
            long rest = (number << 1) ^ (number >> 63);
            for (; rest >>> 7 != 0; rest >>>= 7) {
                counts.write((int) (rest & 127 | 128));
            }
            counts.write((int) rest);
            index += Math.max(zeros, 1);
        }
        ByteBuffer plain = ByteBuffer.allocate(40 + counts.size());
        plain.putInt(0x1c849313).putInt(counts.size()).putInt(0).putInt(3).putLong(1).putLong(3_600_000_000_000L / 2);
        plain.putDouble(1.0).put(counts.toByteArray());
        Deflater deflater = new Deflater();
        deflater.setInput(plain.array());
        deflater.finish();
        byte[] packed = new byte[plain.capacity() + 64];
        int length = deflater.deflate(packed);
        ByteBuffer all = ByteBuffer.allocate(8 + length).putInt(0x1c849314).putInt(length).put(packed, 0, length);
        return Base64.getEncoder().encodeToString(all.array());
    }
}
