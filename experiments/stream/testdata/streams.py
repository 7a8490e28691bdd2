#!/usr/bin/env python3
"""Draws of the random streams from the published algorithms, with Python's
integers and hashlib only:

    python3 streams.py > streams.csv        (Python 3.11 and later)

State: the first 16 bytes of SHA-256("copse/1|seed|cell|replicate|role").
Uint64: PCG XSL-RR 128/64 (O'Neill 2014) with the multiplier of that paper and the
increment of golang.org/x/exp/rand.
Normal: Marsaglia and Tsang (2000), 128 strips, tables from their formulas.
"""
import hashlib, math, struct

MASK64, MASK128 = 2**64 - 1, 2**128 - 1
MULTIPLIER = 47026247687942121848144207491837523525
INCREMENT = 117397592171526113268558934119004209487

def float32(x):
    return struct.unpack('f', struct.pack('f', x))[0]

# Marsaglia and Tsang, section 3: zigset for the normal distribution.
R, V, M = 3.442619855899, 9.91256303526217e-3, 2147483648.0
kn, wn, fn = [0] * 128, [0.0] * 128, [0.0] * 128
dn = tn = R
q = V / math.exp(-.5 * dn * dn)
kn[0], kn[1] = int(dn / q * M), 0
wn[0], wn[127] = q / M, dn / M
fn[0], fn[127] = 1., math.exp(-.5 * dn * dn)
for i in range(126, 0, -1):
    dn = math.sqrt(-2 * math.log(V / dn + math.exp(-.5 * dn * dn)))
    kn[i + 1] = int(dn / tn * M)
    tn = dn
    fn[i], wn[i] = math.exp(-.5 * dn * dn), dn / M
wn, fn = [float32(x) for x in wn], [float32(x) for x in fn]

class Stream:
    def __init__(self, seed, cell, replicate, role):
        path = f'copse/1|{seed}|{cell}|{replicate}|{role}'
        self.state = int.from_bytes(hashlib.sha256(path.encode()).digest()[:16], 'big')

    def uint64(self):
        self.state = (self.state * MULTIPLIER + INCREMENT) & MASK128
        x, r = (self.state >> 64) ^ (self.state & MASK64), self.state >> 122
        return (x >> r | x << (-r & 63)) & MASK64

    def below(self, n):
        if n & (n - 1) == 0:
            return self.uint64() & (n - 1)
        v, ceiling = self.uint64(), MASK64 - MASK64 % n
        while v > MASK64 - n and v >= ceiling:
            v = self.uint64()
        return v % n

    def float64(self):
        return self.below(2**53) / 2**53

    def permutation(self, n):
        m = [0] * n
        for i in range(n):
            j = self.below(i + 1)
            m[i] = m[j]
            m[j] = i
        return m

    def normal(self):
        while True:
            j = self.uint64() >> 32
            j -= (j >> 31) << 32
            i = j & 127
            x = j * wn[i]
            if abs(j) < kn[i]:
                return x
            if i == 0:
                while True:
                    x = -math.log(self.float64()) / R
                    y = -math.log(self.float64())
                    if y + y >= x * x:
                        return R + x if j > 0 else -R - x
            u = float32(float32(self.float64()) * float32(fn[i - 1] - fn[i]))
            if float32(fn[i] + u) < float32(math.exp(-.5 * x * x)):
                return x

def shortest(x):
    """As Go's strconv writes it with format g and the fewest digits."""
    text = repr(x)
    return text[:-2] if text.endswith('.0') else text

print('seed,cell,replicate,role,uint64,float64,intn1000,perm6,normal')
for seed in (0, 1, 42, 2**64 - 1):
    for cell in ('', 'generator=forest/1{d=3};train=[10 10]'):
        for replicate in (1, 2, 1000000):
            for role in ['structure', 'train', 'test', 'folds', 'missing'] + [f'classifier:c{k}' for k in range(16)]:
                s = Stream(seed, cell, replicate, role)
                for _ in range(3):
                    s.uint64()
                print(seed, cell, replicate, role, s.uint64(), shortest(s.float64()), s.below(1000),
                      '[' + ' '.join(map(str, s.permutation(6))) + ']', shortest(s.normal()), sep=',')
