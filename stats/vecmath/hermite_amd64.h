// Hermite polynomials of two variables, for vectors of any length. The including
// file says how a constant is subtracted (MINUS) and how it is added to a product
// (PLUS), and names the registers of the sums, M0.., and of scratch, A0, B0, S0,
// S1. Below A and B are the squares of U and V, W is the weight, M a sum.

// QUADRATIC makes P = (A - K1) A + K0.
#define QUADRATIC(K1, K0, A, P) \
	MINUS K1, A, P \
	PLUS K0, A, P

// ADD40 adds W He_4(U) to M.
#define ADD40(W, A, M) \
	QUADRATIC(C1X6, C2X3, A, S0) \
	VFMADD231PD S0, W, M

// ADD31 adds W He_3(U) V to M.
#define ADD31(W, A, U, V, M) \
	MINUS C1X3, A, S0 \
	VMULPD U, S0, S0 \
	VMULPD V, W, S1 \
	VFMADD231PD S1, S0, M

// ADD22 adds W He_2(U) He_2(V) to M.
#define ADD22(W, A, B, M) \
	MINUS C1X1, A, S0 \
	VMULPD W, S0, S0 \
	MINUS C1X1, B, S1 \
	VFMADD231PD S1, S0, M

#define ADDALL4(W, U, V) \
	VMULPD U, U, A0 \
	VMULPD V, V, B0 \
	ADD40(W, A0, M0) \
	ADD31(W, A0, U, V, M1) \
	ADD22(W, A0, B0, M2) \
	ADD31(W, B0, V, U, M3) \
	ADD40(W, B0, M4)

// ADD60 adds W He_6(U) to M.
#define ADD60(W, A, M) \
	QUADRATIC(C1X15, C2X45, A, S0) \
	VMULPD A, S0, S0 \
	MINUS C3X15, S0, S0 \
	VFMADD231PD S0, W, M

// ADD51 adds W He_5(U) V to M.
#define ADD51(W, A, U, V, M) \
	QUADRATIC(C1X10, C2X15, A, S0) \
	VMULPD U, S0, S0 \
	VMULPD V, W, S1 \
	VFMADD231PD S1, S0, M

// ADD42 adds W He_4(U) He_2(V) to M.
#define ADD42(W, A, B, M) \
	QUADRATIC(C1X6, C2X3, A, S0) \
	VMULPD W, S0, S0 \
	MINUS C1X1, B, S1 \
	VFMADD231PD S1, S0, M

#define ADDALL6(W, U, V) \
	VMULPD U, U, A0 \
	VMULPD V, V, B0 \
	ADD60(W, A0, M0) \
	ADD51(W, A0, U, V, M1) \
	ADD42(W, A0, B0, M2)
