//go:build amd64 && !purego

#include "textflag.h"

// Vector constants, 32 bytes each, in the order of asm_amd64.go.
#define OFFSET ·logConstants+0(SB) // oneBits - halfRoot
#define INTEGER ·logConstants+32(SB)
#define BIAS ·logConstants+64(SB)
#define MASK ·logConstants+96(SB)
#define HALFROOT ·logConstants+128(SB)
#define ONE ·logConstants+160(SB)
#define TWO ·logConstants+192(SB)
#define HALF ·logConstants+224(SB)
#define LN2HI ·logConstants+256(SB)
#define LN2LO ·logConstants+288(SB)
#define LCOEF(k) ·logConstants+(320+32*(6-(k)))(SB) // of z^k

// func logAVX2(dst, x *float64, n int, floor float64)
TEXT ·logAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD floor+24(FP), Y15
	VMOVUPD OFFSET, Y14
	VMOVUPD INTEGER, Y13
	VMOVUPD MASK, Y12
	VMOVUPD HALFROOT, Y11

logloop:
	VMAXPD (SI), Y15, Y0
	VPADDQ Y14, Y0, Y0
	VPSRLQ $52, Y0, Y1
	VPOR Y13, Y1, Y1
	VSUBPD BIAS, Y1, Y1 // k
	VPAND Y12, Y0, Y0
	VPADDQ Y11, Y0, Y0
	VSUBPD ONE, Y0, Y0 // f
	VADDPD TWO, Y0, Y2
	VDIVPD Y2, Y0, Y2 // s
	VMULPD Y2, Y2, Y3 // z
	VMOVUPD LCOEF(6), Y4
	VFMADD213PD LCOEF(5), Y3, Y4
	VFMADD213PD LCOEF(4), Y3, Y4
	VFMADD213PD LCOEF(3), Y3, Y4
	VFMADD213PD LCOEF(2), Y3, Y4
	VFMADD213PD LCOEF(1), Y3, Y4
	VFMADD213PD LCOEF(0), Y3, Y4 // p
	VMULPD HALF, Y0, Y5
	VMULPD Y0, Y5, Y5 // h
	VFMADD213PD Y5, Y3, Y4 // r = z p + h
	VMULPD LN2LO, Y1, Y6
	VFMADD231PD Y4, Y2, Y6 // s r + k ln2Lo
	VSUBPD Y6, Y5, Y5
	VSUBPD Y5, Y0, Y0
	VFMADD231PD LN2HI, Y1, Y0
	VMOVUPD Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JNE logloop
	VZEROUPPER
	RET
