//go:build tools

// Package tools pins the version of the language host for programs in Go: the last of this module that has it.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
