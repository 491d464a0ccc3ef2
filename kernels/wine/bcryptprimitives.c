/* Wine 8 lacks this library, which Rust's standard library asks for random numbers. For tests alone. */
#include <windows.h>

/* RtlGenRandom (advapi32). */
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length)
{
    return SystemFunction036(bytes, (ULONG)length);
}
