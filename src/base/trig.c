/* base/trig.c -- elementary functions from power series, after reducing the argument to where they converge fast. */
#include "base/trig.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define PI 3.14159265358979323846

/* pi/2 in three parts of 33 bits and fewer, so that n * part is exact for the n that matter (Cody and Waite). */
static const double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34, half_pi_3 = 0x1.3198a2e037073p-69;

/* Both series are summed from the smallest term; |x| <= pi/4. */
static double series_sin(double x) {
    double s = x * x, sum = -1.0 / 1307674368000.0;
    sum = sum * s + 1.0 / 6227020800.0;
    sum = sum * s - 1.0 / 39916800.0;
    sum = sum * s + 1.0 / 362880.0;
    sum = sum * s - 1.0 / 5040.0;
    sum = sum * s + 1.0 / 120.0;
    sum = sum * s - 1.0 / 6.0;
    return x + x * s * sum;
}

static double series_cos(double x) {
    double s = x * x, sum = 1.0 / 20922789888000.0;
    sum = sum * s - 1.0 / 87178291200.0;
    sum = sum * s + 1.0 / 479001600.0;
    sum = sum * s - 1.0 / 3628800.0;
    sum = sum * s + 1.0 / 40320.0;
    sum = sum * s - 1.0 / 720.0;
    sum = sum * s + 1.0 / 24.0;
    return 1 - s * 0.5 + s * s * sum;
}

/* The quadrant (0..3) and what is left of the angle. Beyond 1e15 a double cannot tell where in the turn it is. */
static int reduce(double angle, double *rest) {
    double n = floor(angle * (2 / PI) + 0.5);
    *rest = ((angle - n * half_pi_1) - n * half_pi_2) - n * half_pi_3;
    return (int)(n - 4 * floor(n / 4));
}

static double turn(double angle, int ahead) {
    if (!(fabs(angle) < 1e15))
        return isfinite(angle) ? 0 : NAN;
    double x;
    switch ((reduce(angle, &x) + ahead) & 3) {
        case 0: return series_sin(x);
        case 1: return series_cos(x);
        case 2: return -series_sin(x);
        default: return -series_cos(x);
    }
}

double trig_sin(double angle) { return turn(angle, 0); }
double trig_cos(double angle) { return turn(angle, 1); }
double trig_tan(double angle) { return trig_sin(angle) / trig_cos(angle); }

/* Halving the angle twice (atan x = 2 atan(x / (1 + sqrt(1 + x^2)))) brings x under 0.2, where 13 terms are enough. */
double trig_atan(double slope) {
    if (isnan(slope))
        return slope;
    double x = fabs(slope);
    bool steep = x > 1;
    if (steep)
        x = 1 / x;
    x = x / (1 + sqrt(1 + x * x));
    x = x / (1 + sqrt(1 + x * x));
    double s = x * x, sum = 0;
    for (int k = 25; k >= 3; k -= 2)
        sum = sum * s + ((k & 2) ? -1.0 : 1.0) / k;
    double angle = 4 * (x + x * s * sum);
    if (steep)
        angle = PI / 2 - angle;
    return slope < 0 ? -angle : angle;
}

double trig_atan2(double y, double x) {
    if (isnan(x) || isnan(y))
        return NAN;
    if (x == 0 && y == 0)
        return signbit(x) ? copysign(PI, y) : y;
    if (isinf(x) && isinf(y))
        return copysign(x > 0 ? PI / 4 : 3 * PI / 4, y);
    double angle = fabs(x) >= fabs(y) ? trig_atan(fabs(y) / fabs(x)) : PI / 2 - trig_atan(fabs(x) / fabs(y));
    if (signbit(x))
        angle = PI - angle;
    return copysign(angle, y);
}

double trig_asin(double x) { return fabs(x) <= 1 ? trig_atan2(x, sqrt((1 - x) * (1 + x))) : NAN; }
double trig_acos(double x) { return fabs(x) <= 1 ? trig_atan2(sqrt((1 - x) * (1 + x)), x) : NAN; }

static const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

double trig_exp(double x) {
    if (isnan(x))
        return x;
    if (x > 709.782712893384)
        return INFINITY;
    if (x < -745.2)
        return 0;
    double n = floor(x * (1 / 0.693147180559945309417) + 0.5);
    double r = (x - n * ln2_high) - n * ln2_low, sum = 1;
    for (int k = 14; k >= 1; k--)
        sum = 1 + sum * r / k;
    return ldexp(sum, (int)n);
}

double trig_log(double x) {
    if (isnan(x) || x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    if (isinf(x))
        return x;
    int power;
    double m = frexp(x, &power);    /* 0.5 <= m < 1 */
    if (m < 0.70710678118654752440) {
        m *= 2;
        power--;
    }
    double t = (m - 1) / (m + 1), s = t * t, sum = 0;
    for (int k = 21; k >= 3; k -= 2)
        sum = (sum + 1.0 / k) * s;
    return power * ln2_high + (power * ln2_low + 2 * (t + t * sum));
}

static double power_whole(double base, double exponent) {
    double result = 1, n = fabs(exponent);
    for (uint64_t bits = (uint64_t)n; bits; bits >>= 1) {
        if (bits & 1)
            result *= base;
        base *= base;
    }
    return exponent < 0 ? 1 / result : result;
}

double trig_pow(double base, double exponent) {
    if (exponent == 0 || base == 1)
        return 1;
    if (isnan(base) || isnan(exponent))
        return NAN;
    bool whole = exponent == floor(exponent);
    if (whole && fabs(exponent) <= 1024)
        return power_whole(base, exponent);
    if (exponent == 0.5)
        return base == 0 ? 0 : isinf(base) ? INFINITY : sqrt(base);
    if (base == 0)
        return exponent > 0 ? 0 : INFINITY;
    if (base < 0 && !whole && isfinite(exponent) && !isinf(base))
        return NAN;
    if (isinf(exponent)) {
        double size = fabs(base);
        return size == 1 ? 1 : (size > 1) == (exponent > 0) ? INFINITY : 0;
    }
    double result = trig_exp(exponent * trig_log(fabs(base)));
    bool odd = whole && fmod(exponent, 2) != 0;
    return base < 0 && odd ? -result : result;
}
