import { masked } from "../../provider/mask";

const pem = "-----BEGIN KEY-----\r\nMIIEvAIBADANBg\r\nab=\r\n";

test.each([
  ["as a whole", JSON.stringify({ key: pem }), '{"key":"[secret]"}'],
  ["each line of it", "KEY MIIEvAIBADANBg\n-----BEGIN KEY-----", "KEY [secret]\n[secret]"],
  ["but no line that is too short to be one", "ab=", "ab="],
  ["without the space around a line", '"user":\n"name-1234"', '"user":\n[secret]'],
  ["as JSON of Python", '{"key": "p\\u00e4ss\\ud83d\\ude00\\"wort"}', '{"key": "[secret]"}'],
])("a secret of several lines is hidden, %s", (_what, message, hidden) => {
  expect(masked(message, [pem, '{\n  "name-1234"\n}', 'päss😀"wort'])).toBe(hidden);
});
