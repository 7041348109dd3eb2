//go:build tools

// Package tools pins the version of the language host for programs in Go.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
