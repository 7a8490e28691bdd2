//go:build amd64 && !purego

#include "textflag.h"
#include "pow2_amd64.h"
#include "pow2_avx512_amd64.h"

// ZSQUARE makes q = ((x-t) s)^2; Z28 holds t, Z29 s.
#define ZSQUARE(k, R, T, P) \
	VSUBPD (64*k)(SI), Z28, R \
	VMULPD Z29, R, R \
	VMULPD R, R, R

#define ZSTORE(k, R, T, P) VMOVUPD R, (64*k)(DI)

// func gaussAVX512(dst, x *float64, n int, t, s float64)
TEXT ·gaussAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD t+24(FP), Z28
	VBROADCASTSD s+32(FP), Z29
	VBROADCASTSD MAGIC, Z31
	SUBQ $64, CX
	JLT gausslast

gaussloop:
	EACH8(ZSQUARE)
	ZPOW2(EACH8, ZPOLY8)
	EACH8(ZSTORE)
	ADDQ $512, SI
	ADDQ $512, DI
	SUBQ $64, CX
	JGE gaussloop

gausslast:
	ADDQ $64, CX
	JEQ gaussdone

gausstail:
	EACH2(ZSQUARE)
	ZPOW2(EACH2, ZPOLY2)
	EACH2(ZSTORE)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JNE gausstail

gaussdone:
	VZEROUPPER
	RET

// ZDISTANCE makes q = (x-s)^2 + (y-t)^2 of four elements for two points; Z28
// holds s, Z29 t.
#define ZDISTANCE(k, R, T, P) \
	VBROADCASTF64X4 (32*k)(SI), R \
	VBROADCASTF64X4 (32*k)(DI), T \
	VSUBPD Z28, R, R \
	VSUBPD Z29, T, T \
	VMULPD T, T, T \
	VFMADD213PD T, R, R

#define ZADD(k, R, T, P) VADDPD R, Z27, Z27

// func sumGauss2AVX512(x, y *float64, n int, s, t *[2]float64, lanes *[2][4]float64)
TEXT ·sumGauss2AVX512(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), R8
	MOVQ t+32(FP), R9
	MOVQ lanes+40(FP), DX
	HALVES(R8, Z28)
	HALVES(R9, Z29)
	VBROADCASTSD MAGIC, Z31
	VPXORQ Z27, Z27, Z27
	SUBQ $32, CX
	JLT sum2last

sum2loop:
	EACH8(ZDISTANCE)
	ZPOW2(EACH8, ZPOLY8)
	EACH8(ZADD)
	ADDQ $256, SI
	ADDQ $256, DI
	SUBQ $32, CX
	JGE sum2loop

sum2last:
	ADDQ $32, CX
	JEQ sum2done

sum2tail:
	EACH2(ZDISTANCE)
	ZPOW2(EACH2, ZPOLY2)
	EACH2(ZADD)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JNE sum2tail

sum2done:
	VMOVUPD Z27, (DX)
	VZEROUPPER
	RET
