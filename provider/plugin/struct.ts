import type { BinaryReader, BinaryWriter } from "google-protobuf";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord, type Properties } from "../value";

// Most of what the engine and the plugin exchange are Structs. google-protobuf turns each value into objects of its own and then into
// plain ones, which takes several times as long as to read and write plain ones.

/** The properties of each Struct. */
const plain = new WeakMap<Struct, Properties>();

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}

/** Leaves out undefined values, as JSON does. */
export function toStruct(properties: Properties): Struct {
  const struct = new Struct();
  plain.set(struct, properties);
  return struct;
}

// Pulumi's SDK makes and reads Structs of its own, in a process that has a program, too.
const { toJavaScript } = Struct.prototype;
Struct.prototype.toJavaScript = function (this: Struct) {
  return (plain.get(this) ?? toJavaScript.call(this)) as ReturnType<typeof toJavaScript>;
};

Struct.deserializeBinaryFromReader = (struct, reader) => {
  plain.set(struct, readStruct(reader));
  return struct;
};

// `toObject` of a message asks for the values of each of its Structs.
Struct.toObject = (_includeInstance, struct) => fromStruct(struct) as never;

Struct.serializeBinaryToWriter = (struct, writer) => writeStruct(fromStruct(struct), writer);

// Numbers of the fields: `Struct { map<string, Value> fields = 1 }`, whose entries are messages `{ key = 1, value = 2 }`, and
// `Value { null = 1, number = 2, string = 3, bool = 4, struct = 5, list = 6 }`.

/** A message within the present one. */
function within<T>(reader: BinaryReader, read: (reader: BinaryReader) => T): T {
  let result: T | undefined;
  reader.readMessage(reader, () => {
    result = read(reader);
  });
  return result as T;
}

/** In the order of their names: an engine sends them in any order, and texts of equal properties must be equal. */
function readStruct(reader: BinaryReader): Properties {
  const entries: [string, unknown][] = [];
  while (reader.nextField()) entries.push(within(reader, readEntry));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readEntry(reader: BinaryReader): [string, unknown] {
  const entry: [string, unknown] = ["", null];
  while (reader.nextField()) {
    if (reader.getFieldNumber() === 1) entry[0] = reader.readString();
    else entry[1] = within(reader, readValue);
  }
  return entry;
}

/** The readers of a value, by the numbers of its fields. */
const readers: Readonly<Record<number, (reader: BinaryReader) => unknown>> = {
  2: (reader) => reader.readDouble(),
  3: (reader) => reader.readString(),
  4: (reader) => reader.readBool(),
  5: (reader) => within(reader, readStruct),
  6: (reader) => within(reader, readList),
};

const skipped = (reader: BinaryReader) => {
  reader.skipField();
  return null;
};

function readValue(reader: BinaryReader): unknown {
  let value: unknown = null;
  while (reader.nextField()) value = (readers[reader.getFieldNumber()] ?? skipped)(reader);
  return value;
}

function readList(reader: BinaryReader): unknown[] {
  const items: unknown[] = [];
  while (reader.nextField()) items.push(within(reader, readValue));
  return items;
}

function writeStruct(properties: Properties, writer: BinaryWriter): void {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    writer.writeMessage(1, writer, () => {
      writer.writeString(1, key);
      writer.writeMessage(2, writer, () => writeValue(value, writer));
    });
  }
}

function writeValue(value: unknown, writer: BinaryWriter): void {
  if (typeof value === "number" && Number.isFinite(value)) writer.writeDouble(2, value);
  else if (typeof value === "string") writer.writeString(3, value);
  else if (typeof value === "boolean") writer.writeBool(4, value);
  else if (Array.isArray(value)) writer.writeMessage(6, writer, () => writeList(value, writer));
  else if (isRecord(value)) writer.writeMessage(5, writer, () => writeStruct(value, writer));
  else writer.writeEnum(1, 0);
}

function writeList(items: readonly unknown[], writer: BinaryWriter): void {
  for (const item of items) writer.writeMessage(1, writer, () => writeValue(item, writer));
}
