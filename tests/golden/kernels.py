"""What chooses other instructions on another processor and thereby changes bits: the golden table says what it was
made with. Our own kernels and AVX-512 are not named, for they change none (decision 19)."""
import ctypes
import os
import re
from pathlib import Path


def has_fma(taken=()):
    """Whether the processor has AVX2 and FMA, and neither is taken away."""
    cpu = Path("/proc/cpuinfo")
    flags = re.search(r"^flags\s*:(.*)$", cpu.read_text(), re.M) if cpu.exists() else None
    has = flags.group(1).split() if flags else []
    return all(name in has and f"-{name.upper()}" not in taken for name in ("avx2", "fma"))


def describe_openblas():
    """Its version and kernels: those of Haswell (src/linalg/blas.h), or what it chooses where they cannot be."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        library.openblas_get_corename.restype = library.openblas_get_config.restype = ctypes.c_char_p
        version = re.search(r"OpenBLAS ([\d.]+)", library.openblas_get_config().decode())
        own_choice = library.openblas_get_corename().decode()
    except (OSError, AttributeError):
        return "OpenBLAS not found"
    kernels = "Haswell" if has_fma() and "OPENBLAS_CORETYPE" not in os.environ else own_choice
    return f"OpenBLAS {version.group(1) if version else 'of unknown version'}, kernels for {kernels}"


def describe():
    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else "unknown C library"
    taken = re.split(r"[:=,]", os.environ.get("GLIBC_TUNABLES", "").upper())  # from the C library only
    return [describe_openblas(), f"{libc} {'with' if has_fma(taken) else 'without'} FMA"]
