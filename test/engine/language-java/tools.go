//go:build tools

// Package tools pins the version of the language host for programs in Java.
package tools

import _ "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java"
