/* The words of a command line, as far as they stand for themselves. */
#ifndef HOOKTAPE_WORDS_H
#define HOOKTAPE_WORDS_H
#include "json.h"

enum { most_words = 64 };

/* As it is written, and without its quotes. */
struct word { struct text written, meant; };

struct words { struct word all[most_words]; int count; };

int begins(struct text text, const char *with);
/* Of a name: a letter, a digit, or `_`. */
int is_name(char one);
size_t word_length(struct text rest);
size_t redirection_length(struct text rest);

#endif
