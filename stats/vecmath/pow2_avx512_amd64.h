// The power of pow2_amd64.h in vectors of eight, several of them in step, which
// hides the latency of the one chain. OP(k, R, T, P) is done for vector k: R
// starts as q and ends as 2^-q, T becomes the biased exponent of 2^-k, P the
// polynomial. Z31 holds magic, Z30 is scratch.

#define EACH2(OP) OP(0, Z0, Z8, Z16); OP(1, Z1, Z9, Z17)
#define EACH4(OP) EACH2(OP); OP(2, Z2, Z10, Z18); OP(3, Z3, Z11, Z19)
#define EACH8(OP) EACH4(OP); OP(4, Z4, Z12, Z20); OP(5, Z5, Z13, Z21); OP(6, Z6, Z14, Z22); OP(7, Z7, Z15, Z23)

#define ZLEAST(k, R, T, P) VMINPD Z30, R, R
#define ZEXPONENT(k, R, T, P) VSUBPD R, Z31, T
#define ZINTEGER(k, R, T, P) VSUBPD T, Z31, P
#define ZREST(k, R, T, P) VSUBPD R, P, R
#define ZSHIFT(k, R, T, P) VPSLLQ $52, T, T
#define ZFIRST(k, R, T, P) VMOVAPD Z30, P
#define ZHORNER(k, R, T, P) VFMADD213PD Z30, R, P
#define ZSCALE(k, R, T, P) VMULPD T, P, R

#define ZPOLY2(k) VBROADCASTSD COEF(k), Z30; EACH2(ZHORNER)
#define ZPOLY8(k) VBROADCASTSD COEF(k), Z30; EACH8(ZHORNER)

#define ZPOW2(EACH, POLY) \
	VBROADCASTSD LIMIT, Z30 \
	EACH(ZLEAST) \
	EACH(ZEXPONENT) \
	EACH(ZINTEGER) \
	EACH(ZREST) \
	EACH(ZSHIFT) \
	VBROADCASTSD COEF(11), Z30 \
	EACH(ZFIRST) \
	POWERS(POLY) \
	EACH(ZSCALE)
