// SPDX-License-Identifier: Apache-2.0
//
// Small files of YAML that are read whole, as trees, so that each error names the line of its node.

#ifndef ANL_TREE_PRIVATE_H
#define ANL_TREE_PRIVATE_H

#include <annelid/base.h>
#include <yaml.h>

struct tree {
    const char *path;
    struct anl_error *error;  // receives what is wrong; NULL: nobody wants to know
    yaml_document_t document;
};

// Ends a function with ANL_ERR_FORMAT, and says what was found and what was expected in a line.
#define TREE_REFUSE(tree, line, ...)                                                               \
    return anl_fail((tree)->error, ANL_ERR_FORMAT, (tree)->path, line, __VA_ARGS__)

// Reads the file at the path of *tree, lets `read` take what is in it from its root on (NULL: there
// is nothing in it), and frees the document. Returns the status of `read`; ANL_ERR_IO,
// ANL_ERR_FORMAT if it is no YAML, ANL_ERR_MEMORY.
typedef enum anl_status tree_reader(void *user, const yaml_node_t *root);
enum anl_status tree_read(struct tree *tree, tree_reader *read, void *user);

uint64_t tree_line(const yaml_node_t *node);

// Returns what a node says; "a list" or "a mapping" if it is no text.
const char *tree_text(const yaml_node_t *node);

const yaml_node_t *tree_node(struct tree *tree, int item);

// Keys of mappings are rows of any struct whose first member is the name, const char *.
struct tree_keys {
    const void *rows;
    size_t count, bytes;  // of a row
};
#define TREE_KEYS(keys, number) ((struct tree_keys){(keys), (number), sizeof *(keys)})

// Finds the row with the name that a node says, or says which names there are.
enum anl_status tree_find_key(const struct tree *tree, const yaml_node_t *node,
                              struct tree_keys keys, size_t *found);

#endif
