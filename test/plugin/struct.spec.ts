import fc from "fast-check";
import { BinaryReader, BinaryWriter } from "google-protobuf";
import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { fromStruct, toStruct } from "../../provider/plugin/struct";
import type { Properties } from "../../provider/value";

/** google-protobuf as it is without podlumi. */
let library: typeof Struct;

beforeAll(() => {
  jest.isolateModules(() => {
    library = require("google-protobuf/google/protobuf/struct_pb").Struct;
  });
});

// google-protobuf takes a key of this name for the prototype.
const withoutProto = (text: string) => text.replaceAll("__proto__", "proto");

const json = fc.dictionary(
  fc.string().map(withoutProto),
  fc.json().map((text) => JSON.parse(withoutProto(text))),
);

test("podlumi reads what google-protobuf writes", () => {
  fc.assert(
    fc.property(json, (properties) => {
      const bytes = library.fromJavaScript(properties as Record<string, JavaScriptValue>).serializeBinary();
      expect(readBack(bytes)).toEqual(properties);
    }),
  );
});

test("google-protobuf reads what podlumi writes", () => {
  fc.assert(
    fc.property(json, (properties) => {
      expect(readByLibrary(properties)).toEqual(properties);
    }),
  );
});

test("a program in the same process makes and reads Structs as ever", () => {
  fc.assert(
    fc.property(json, (properties) => {
      const bytes = Struct.fromJavaScript(properties as Record<string, JavaScriptValue>).serializeBinary();
      expect(library.deserializeBinary(bytes).toJavaScript()).toEqual(properties);
      expect(Struct.deserializeBinary(bytes).toJavaScript()).toEqual(properties);
    }),
  );
});

test("what is undefined is left out, and null in a list, as in JSON", () => {
  const properties = { a: undefined, b: [undefined, Number.NaN], c: { d: undefined } };
  expect(readByLibrary(properties)).toEqual({ b: [null, null], c: {} });
});

test("properties have the order of their names, whatever that of the message", () => {
  expect(JSON.stringify(readBack(writtenBy({ b: { d: 1, c: 2 }, a: 3 })))).toBe('{"a":3,"b":{"c":2,"d":1}}');
});

function writtenBy(properties: Properties): Uint8Array {
  const writer = new BinaryWriter();
  Struct.serializeBinaryToWriter(toStruct(properties), writer);
  return writer.getResultBuffer();
}

function readBack(bytes: Uint8Array): Properties {
  return fromStruct(Struct.deserializeBinaryFromReader(new Struct(), new BinaryReader(bytes)));
}

function readByLibrary(properties: Properties) {
  return library.deserializeBinary(writtenBy(properties)).toJavaScript();
}
