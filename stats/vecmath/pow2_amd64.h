// Vector constants, 32 bytes each, in the order of asm_amd64.go.
#define MAGIC ·constants+0(SB)
#define LIMIT ·constants+32(SB)
#define LOWEST ·constants+64(SB)
#define LOG2EHI ·constants+96(SB)
#define LOG2ELO ·constants+128(SB)
#define COEF(k) ·constants+(160+32*(11-(k)))(SB) // of r^k
#define C1X1 ·constants+544(SB) // Scale^2
#define C1X3 ·constants+576(SB)
#define C1X6 ·constants+608(SB)
#define C1X10 ·constants+640(SB)
#define C1X15 ·constants+672(SB)
#define C2X3 ·constants+704(SB) // 3 Scale^4
#define C2X15 ·constants+736(SB)
#define C2X45 ·constants+768(SB)
#define C3X15 ·constants+800(SB) // 15 Scale^6

// 2^-q of one, two or four vectors: q in Y0.., then r = k-q, then the power. The
// biased exponent of 2^-k is made in Y4.., the polynomial in Y8... Y15 holds
// magic. Several vectors together hide the latency of the one chain.

// SPLIT makes r, the exponent and the first coefficient.
#define SPLIT(R, T, P) \
	VMOVUPD LIMIT, T \
	VMINPD R, T, R \
	VSUBPD R, Y15, T \
	VSUBPD T, Y15, P \
	VSUBPD R, P, R \
	VPSLLQ $52, T, T \
	VMOVUPD COEF(11), P

#define HORNER(k, R, P) VFMADD213PD COEF(k), R, P

#define POLY1(k) HORNER(k, Y0, Y8)
#define POLY2(k) HORNER(k, Y0, Y8); HORNER(k, Y1, Y9)
#define POLY4(k) POLY2(k); HORNER(k, Y2, Y10); HORNER(k, Y3, Y11)

#define POWERS(POLY) \
	POLY(10) \
	POLY(9) \
	POLY(8) \
	POLY(7) \
	POLY(6) \
	POLY(5) \
	POLY(4) \
	POLY(3) \
	POLY(2) \
	POLY(1) \
	POLY(0)

#define SPLIT1 SPLIT(Y0, Y4, Y8)
#define SPLIT2 SPLIT1; SPLIT(Y1, Y5, Y9)
#define SPLIT4 SPLIT2; SPLIT(Y2, Y6, Y10); SPLIT(Y3, Y7, Y11)

#define SCALE1 VMULPD Y4, Y8, Y0
#define SCALE2 SCALE1; VMULPD Y5, Y9, Y1
#define SCALE4 SCALE2; VMULPD Y6, Y10, Y2; VMULPD Y7, Y11, Y3

// Y0 (Y0, Y1; Y0..Y3) = 2^-Y0 (...).
#define POW2X1 SPLIT1; POWERS(POLY1); SCALE1
#define POW2X2 SPLIT2; POWERS(POLY2); SCALE2
#define POW2X4 SPLIT4; POWERS(POLY4); SCALE4
