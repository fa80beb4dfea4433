"""Closed forms, and small independent solutions where there is none in elementary functions."""
import cmath
import math


# ---- turning ---------------------------------------------------------------------------------------------------------

def free_spin(inertia, spin, times, substeps=40):
    """Euler's equations I ω̇ = I ω × ω by Runge–Kutta of order four: ω in the body's axes at the times given."""
    def rate(w):
        (a, b, c), (x, y, z) = inertia, w
        return ((b - c) * y * z / a, (c - a) * z * x / b, (a - b) * x * y / c)

    def add(w, k, scale):
        return tuple(p + scale * q for p, q in zip(w, k))

    out, now, w = [], 0.0, tuple(spin)
    for time in times:
        h = (time - now) / substeps
        for _ in range(substeps):
            k1 = rate(w)
            k2 = rate(add(w, k1, h / 2))
            k3 = rate(add(w, k2, h / 2))
            k4 = rate(add(w, k3, h))
            w = tuple(p + h / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(w, k1, k2, k3, k4))
        now = time
        out.append(w)
    return out


def crossings(series, level=0.0):
    """The times at which [(time, value)] crosses a level, straight between samples."""
    out = []
    for (t0, a), (t1, b) in zip(series, series[1:]):
        if (a - level) * (b - level) < 0:
            out.append(t0 + (t1 - t0) * (a - level) / (a - b))
    return out


def mean_period(series, level=0.0):
    """Of a vibration, from its first to its last crossing of a level with the same direction."""
    times = crossings(series, level)
    times = times[: len(times) - (len(times) + 1) % 2]
    return 2 * (times[-1] - times[0]) / (len(times) - 1)


def box_inertia(mass, size):
    x, y, z = (s * s for s in size)
    return (mass * (y + z) / 12, mass * (z + x) / 12, mass * (x + y) / 12)


# ---- elasticity ------------------------------------------------------------------------------------------------------

def energy_density(model, stretches, young, poisson, mooney_share=0.2, locking_stretch=3.0):
    """Ψ of docs/models/elasticity.md; complex stretches give derivatives."""
    mu, lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    a, b, c = stretches
    J, I1 = a * b * c, a * a + b * b + c * c
    I2 = a * a * b * b + b * b * c * c + c * c * a * a
    bulk = (lam + 2 * mu / 3) / 2 * ((J * J - 1) / 2 - cmath.log(J))
    if model == "neo_hookean":
        return mu / 2 * (I1 - 3) - mu * cmath.log(J) + lam / 2 * cmath.log(J) ** 2
    if model == "stable_neo_hookean":
        m, l = 4 / 3 * mu, lam + 5 / 6 * mu
        return m / 2 * (I1 - 3) - m / 2 * cmath.log((I1 + 1) / 4) + l / 2 * (J - 1) ** 2 - 0.75 * m * (J - 1)
    if model == "fixed_corotated":
        return mu * sum((s - 1) ** 2 for s in stretches) + lam / 2 * (J - 1) ** 2
    if model == "linear_corotated":
        return mu * sum((s - 1) ** 2 for s in stretches) + lam / 2 * (a + b + c - 3) ** 2
    if model == "stvk":
        strains = [(s * s - 1) / 2 for s in stretches]
        return mu * sum(e * e for e in strains) + lam / 2 * sum(strains) ** 2
    bar1, bar2 = J ** (-2 / 3) * I1, J ** (-4 / 3) * I2
    if model == "mooney_rivlin":
        return (1 - mooney_share) * mu / 2 * (bar1 - 3) + mooney_share * mu / 2 * (bar2 - 3) + bulk
    if model == "arruda_boyce":
        terms = (1 / 2, 1 / 20, 11 / 1050, 19 / 7000, 519 / 673750)
        scaled = [t / locking_stretch ** (2 * i) for i, t in enumerate(terms)]
        at_rest = sum(2 * t * (i + 1) * 3**i for i, t in enumerate(scaled))
        return mu / at_rest * sum(t * (bar1 ** (i + 1) - 3 ** (i + 1)) for i, t in enumerate(scaled)) + bulk
    raise ValueError(model)


def uniaxial_stretch(model, pull, young, poisson):
    """Stretches (along, across) under a nominal stress `pull` along one axis, none across: Newton in ten loads."""
    def gradient(s, t):
        tiny = 1e-30
        along = energy_density(model, (complex(s, tiny), t, t), young, poisson).imag / tiny
        across = energy_density(model, (s, complex(t, tiny), t), young, poisson).imag / tiny
        return along, across

    s = t = 1.0
    for part in range(1, 11):
        for _ in range(50):
            f, g = gradient(s, t)
            f -= pull * part / 10
            e = 1e-6
            (fs, gs), (ft, gt) = gradient(s + e, t), gradient(s, t + e)
            fs, gs = (fs - f - pull * part / 10) / e, (gs - g) / e
            ft, gt = (ft - f - pull * part / 10) / e, (gt - g) / e
            det = fs * gt - ft * gs
            s, t = s - (f * gt - ft * g) / det, t - (fs * g - f * gs) / det
    return s, t


def catenary_sag(span, length):
    """Of a chain of this length between two points at the same height: length = 2 a sinh(span/2a)."""
    low, high = span / 100, 1e4 * span
    for _ in range(200):
        a = math.sqrt(low * high)
        low, high = (a, high) if 2 * a * math.sinh(min(span / (2 * a), 700)) > length else (low, a)
    return a * (math.cosh(span / (2 * a)) - 1)


def elliptic_k(k):
    """The complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def elastica(degrees):
    """A clamped column whose free end has turned by this angle: (load / Euler's load, deflection / length)."""
    k = math.sin(math.radians(degrees) / 2)
    K = elliptic_k(k)
    return (2 * K / math.pi) ** 2, 2 * k / K


# ---- order -----------------------------------------------------------------------------------------------------------

def observed_order(errors):
    """From errors at h, h/2, h/4, …: the last halving decides."""
    return math.log2(abs(errors[-2]) / abs(errors[-1]))
