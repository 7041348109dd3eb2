//go:build tools

// Package tools pins the version of the language host for programs in YAML.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
