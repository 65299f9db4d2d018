// SPDX-License-Identifier: Apache-2.0

#include "tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static enum anl_status parse(struct tree *tree, FILE *file, tree_reader *read, void *user)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return anl_fail(tree->error, ANL_ERR_MEMORY, tree->path, 0, "no memory for YAML");
    yaml_parser_set_input_file(&parser, file);
    enum anl_status status = ANL_OK;
    if (!yaml_parser_load(&parser, &tree->document)) {
        status = anl_fail(tree->error, ANL_ERR_FORMAT, tree->path,
                          (uint64_t)parser.problem_mark.line + 1, "expected YAML: %s",
                          parser.problem ? parser.problem : "it cannot be read");
    } else {
        status = read(user, yaml_document_get_root_node(&tree->document));
        yaml_document_delete(&tree->document);
    }
    yaml_parser_delete(&parser);
    return status;
}

enum anl_status tree_read(struct tree *tree, tree_reader *read, void *user)
{
    FILE *file = anl_input_open(tree->path);
    if (!file) return anl_fail(tree->error, ANL_ERR_IO, tree->path, 0, "%s", strerror(errno));
    const enum anl_status status = parse(tree, file, read, user);
    if (file != stdin) fclose(file);
    return status;
}

uint64_t tree_line(const yaml_node_t *node) { return (uint64_t)node->start_mark.line + 1; }

const char *tree_text(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE     ? (const char *)node->data.scalar.value
           : node->type == YAML_SEQUENCE_NODE ? "a list"
                                              : "a mapping";
}

const yaml_node_t *tree_node(struct tree *tree, int item)
{
    return yaml_document_get_node(&tree->document, item);
}

static const char *name_of(struct tree_keys keys, size_t i)
{
    return *(const char *const *)((const char *)keys.rows + i * keys.bytes);
}

enum anl_status tree_find_key(const struct tree *tree, const yaml_node_t *node,
                              struct tree_keys keys, size_t *found)
{
    char all[300] = "";
    for (*found = 0; *found < keys.count; (*found)++) {
        if (strcmp(tree_text(node), name_of(keys, *found)) == 0) return ANL_OK;
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", *found ? ", " : "", name_of(keys, *found));
    }
    TREE_REFUSE(tree, tree_line(node), "found key '%.40s', expected one of %s", tree_text(node),
                all);
}
