/*
 * Encrypts a call that waits on disk for a host: ChaCha20-Poly1305 as in RFC 8439, under the installation's key. What is opened
 * again is in src/log/sealedFrame.ts. No library has it in libc, and the client links nothing else.
 */
#include "client.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

/* The client is compiled to be small; a large payload is encrypted three times as fast like this. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

/* Four blocks of the key stream at once: a lane each. */
enum { block_size = 64, lanes = 4, stride = block_size * lanes };
typedef uint32_t word __attribute__((vector_size(4 * lanes)));

static uint32_t load(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline word rotate(word of, int by) { return of << by | of >> (32 - by); }

static inline void quarter(word *state, int a, int b, int c, int d) {
  state[a] += state[b], state[d] = rotate(state[d] ^ state[a], 16);
  state[c] += state[d], state[b] = rotate(state[b] ^ state[c], 12);
  state[a] += state[b], state[d] = rotate(state[d] ^ state[a], 8);
  state[c] += state[d], state[b] = rotate(state[b] ^ state[c], 7);
}

/* The blocks of `counter` and the three after it. */
static void make_blocks(unsigned char *blocks, const unsigned char *key, const unsigned char *nonce, uint32_t counter) {
  static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  word start[16], state[16];
  for (int at = 0; at < 4; at++) start[at] = (word){0} + constants[at];
  for (int at = 0; at < 8; at++) start[4 + at] = (word){0} + load(key + 4 * at);
  start[12] = (word){0, 1, 2, 3} + counter;
  for (int at = 0; at < 3; at++) start[13 + at] = (word){0} + load(nonce + 4 * at);
  memcpy(state, start, sizeof state);
  for (int round = 0; round < 10; round++) {
    for (int at = 0; at < 4; at++) quarter(state, at, 4 + at, 8 + at, 12 + at);
    for (int at = 0; at < 4; at++) quarter(state, at, 4 + (at + 1) % 4, 8 + (at + 2) % 4, 12 + (at + 3) % 4);
  }
  for (int at = 0; at < 16; at++) {
    state[at] += start[at];
    for (int lane = 0; lane < lanes; lane++) put_number(blocks + block_size * lane + 4 * at, state[at][lane]);
  }
}

/* Block 0 of the key stream is the authenticator's key; the text begins with block 1. */
static void apply_stream(unsigned char *text, size_t length, const unsigned char *key, const unsigned char *nonce) {
  unsigned char blocks[stride];
  uint32_t counter = 1;
  for (size_t at = 0; at < length; at += stride, counter += lanes) {
    size_t here = length - at < stride ? length - at : stride;
    make_blocks(blocks, key, nonce, counter);
    for (size_t byte = 0; byte < here; byte++) text[at + byte] ^= blocks[byte];
  }
}

/* Poly1305 in five limbs of 26 bits. */
struct authenticator { uint32_t r[5], sum[5], pad[4]; };

static void begin(struct authenticator *mac, const unsigned char *key) {
  mac->r[0] = load(key) & 0x3ffffff;
  mac->r[1] = load(key + 3) >> 2 & 0x3ffff03;
  mac->r[2] = load(key + 6) >> 4 & 0x3ffc0ff;
  mac->r[3] = load(key + 9) >> 6 & 0x3f03fff;
  mac->r[4] = load(key + 12) >> 8 & 0x00fffff;
  memset(mac->sum, 0, sizeof mac->sum);
  for (int at = 0; at < 4; at++) mac->pad[at] = load(key + 16 + 4 * at);
}

/* RFC 8439 pads each part of the text with zeros to whole blocks of 16 bytes. */
static void add(struct authenticator *mac, const unsigned char *text, size_t length) {
  const uint32_t *r = mac->r;
  uint32_t *sum = mac->sum;
  for (size_t at = 0; at < length; at += 16) {
    unsigned char block[16] = {0};
    memcpy(block, text + at, length - at < 16 ? length - at : 16);
    sum[0] += load(block) & 0x3ffffff;
    sum[1] += load(block + 3) >> 2 & 0x3ffffff;
    sum[2] += load(block + 6) >> 4 & 0x3ffffff;
    sum[3] += load(block + 9) >> 6 & 0x3ffffff;
    sum[4] += load(block + 12) >> 8 | 1 << 24;
    uint64_t product[5];
    for (int to = 0; to < 5; to++) {
      product[to] = 0;
      for (int from = 0; from < 5; from++) {
        int with = to - from;
        product[to] += (uint64_t)sum[from] * (with < 0 ? 5 * (uint64_t)r[with + 5] : r[with]);
      }
    }
    uint64_t carry = 0;
    for (int to = 0; to < 5; to++) {
      product[to] += carry;
      sum[to] = (uint32_t)product[to] & 0x3ffffff;
      carry = product[to] >> 26;
    }
    carry = sum[0] + carry * 5;
    sum[0] = (uint32_t)carry & 0x3ffffff;
    sum[1] += (uint32_t)(carry >> 26);
  }
}

static void finish(struct authenticator *mac, unsigned char *tag) {
  uint32_t *sum = mac->sum, carry = 0;
  for (int turn = 0; turn < 2; turn++)
    for (int at = 0; at < 5; at++) {
      sum[at] += carry;
      carry = sum[at] >> 26;
      sum[at] &= 0x3ffffff;
      if (at == 4) sum[0] += carry * 5, carry = 0;
    }
  /* The sum, or the sum less 2^130 - 5 where it is not below that: chosen without a branch. */
  uint32_t less[5];
  carry = 5;
  for (int at = 0; at < 5; at++) {
    less[at] = sum[at] + carry;
    carry = less[at] >> 26;
    less[at] &= 0x3ffffff;
  }
  uint32_t mask = 0 - carry;
  for (int at = 0; at < 5; at++) sum[at] = (sum[at] & ~mask) | (less[at] & mask);
  uint32_t words[4] = {sum[0] | sum[1] << 26, sum[1] >> 6 | sum[2] << 20, sum[2] >> 12 | sum[3] << 14, sum[3] >> 18 | sum[4] << 8};
  uint64_t total = 0;
  for (int at = 0; at < 4; at++) {
    total += (uint64_t)words[at] + mac->pad[at];
    put_number(tag + 4 * at, (uint32_t)total);
    total >>= 32;
  }
}

/* The key of this use alone: the first half of a block of the installation's key's stream, under a nonce that names the use. */
static int read_key(const struct call *call, unsigned char *key) {
  unsigned char installation[key_size + 1], block[stride];
  int file = open_ours(call->home, "key", O_RDONLY);
  if (file < 0) return 0;
  ssize_t length = read(file, installation, sizeof installation);
  close(file);
  if (length != key_size) return 0;
  make_blocks(block, installation, (const unsigned char *)"hooktapeseal", 0);
  memcpy(key, block, key_size);
  return 1;
}

/* Encrypts the text where it stands; false where there is no key or no randomness, and then the text must not be kept. */
int seal(const struct call *call, unsigned char *text, size_t length, unsigned char *nonce, unsigned char *tag) {
  unsigned char key[key_size], first[stride], sizes[16] = {0};
  struct authenticator mac;
  if (!read_key(call, key) || getentropy(nonce, nonce_size) != 0) return 0;
  apply_stream(text, length, key, nonce);
  make_blocks(first, key, nonce, 0);
  begin(&mac, first);
  /* Bound to the name under which it lies there: one file cannot take another's place. */
  add(&mac, (const unsigned char *)call->id, strlen(call->id));
  add(&mac, text, length);
  put_number(sizes, (uint32_t)strlen(call->id));
  put_number(sizes + 8, (uint32_t)length);
  add(&mac, sizes, sizeof sizes);
  finish(&mac, tag);
  return 1;
}
