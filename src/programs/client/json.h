/* What a client reads of a payload: texts at the top of an object, and nothing that is written in another way than plainly. */
#ifndef HOOKTAPE_JSON_H
#define HOOKTAPE_JSON_H
#include <stddef.h>

struct text { const char *at; size_t length; };

/* A member of an object: how often its name stands there, and its value as it is written. */
struct field { const char *name; int count; struct text value; };

int is(struct text text, const char *value);
int scan(struct text object, struct field *fields, int count);
struct text plain_text(struct text value);
int unescape(struct text value, char *text, size_t room);

#endif
