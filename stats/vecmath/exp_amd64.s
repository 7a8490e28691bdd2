//go:build amd64 && !purego

#include "textflag.h"
#include "pow2_amd64.h"

// REDUCE turns x into r = x log2(e) - k; Y12 holds lowest, Y13 log2(e).
#define REDUCE(X, T, P, LOW) \
	VMAXPD X, Y12, X \
	VMOVAPD X, LOW \
	VMOVAPD Y15, T \
	VFMADD231PD Y13, X, T \
	VSUBPD Y15, T, P \
	VFMSUB213PD P, Y13, X \
	VFMADD231PD LOG2ELO, LOW, X \
	VPSLLQ $52, T, T \
	VMOVUPD COEF(11), P

// func expAVX2(dst, x *float64, n int)
TEXT ·expAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VMOVUPD LOWEST, Y12
	VMOVUPD LOG2EHI, Y13
	VMOVUPD MAGIC, Y15
	SUBQ $8, CX
	JLT explast

exploop:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	REDUCE(Y0, Y4, Y8, Y2)
	REDUCE(Y1, Y5, Y9, Y3)
	POWERS(POLY2)
	SCALE2
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JGE exploop

explast:
	ADDQ $8, CX
	JEQ expdone
	VMOVUPD (SI), Y0
	REDUCE(Y0, Y4, Y8, Y2)
	POWERS(POLY1)
	SCALE1
	VMOVUPD Y0, (DI)

expdone:
	VZEROUPPER
	RET

// SQUARE makes q = ((x-t) s)^2; Y12 holds t, Y13 s.
#define SQUARE(X) \
	VSUBPD Y12, X, X \
	VMULPD Y13, X, X \
	VMULPD X, X, X

// func gaussAVX2(dst, x *float64, n int, t, s float64)
TEXT ·gaussAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD t+24(FP), Y12
	VBROADCASTSD s+32(FP), Y13
	VMOVUPD MAGIC, Y15
	SUBQ $16, CX
	JLT gausslast

gaussloop:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD 64(SI), Y2
	VMOVUPD 96(SI), Y3
	SQUARE(Y0)
	SQUARE(Y1)
	SQUARE(Y2)
	SQUARE(Y3)
	POW2X4
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JGE gaussloop

gausslast:
	ADDQ $16, CX
	JEQ gaussdone

gausstail:
	VMOVUPD (SI), Y0
	SQUARE(Y0)
	POW2X1
	VMOVUPD Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JNE gausstail

gaussdone:
	VZEROUPPER
	RET

// DISTANCE makes q = (x-s)^2 + (y-t)^2; Y12 holds s, Y13 t.
#define DISTANCE(off, Q, V) \
	VMOVUPD off(SI), Q \
	VMOVUPD off(DI), V \
	VSUBPD Y12, Q, Q \
	VSUBPD Y13, V, V \
	VMULPD V, V, V \
	VFMADD213PD V, Q, Q

// func sumGauss2AVX2(x, y *float64, n int, s, t float64, lanes *[4]float64)
TEXT ·sumGauss2AVX2(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	VBROADCASTSD s+24(FP), Y12
	VBROADCASTSD t+32(FP), Y13
	MOVQ lanes+40(FP), DX
	VMOVUPD MAGIC, Y15
	SUBQ $16, CX
	JLT sum2last

sum2loop:
	DISTANCE(0, Y0, Y4)
	DISTANCE(32, Y1, Y5)
	DISTANCE(64, Y2, Y6)
	DISTANCE(96, Y3, Y7)
	POW2X4
	VADDPD (DX), Y0, Y0
	VADDPD Y1, Y0, Y0
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y0, Y0
	VMOVUPD Y0, (DX)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JGE sum2loop

sum2last:
	ADDQ $16, CX
	JEQ sum2done

sum2tail:
	DISTANCE(0, Y0, Y4)
	POW2X1
	VADDPD (DX), Y0, Y0
	VMOVUPD Y0, (DX)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JNE sum2tail

sum2done:
	VZEROUPPER
	RET
