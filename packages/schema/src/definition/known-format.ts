/** Formats that the server checks values against; all others are hints for people. */
const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Dashes in names do not count. */
const STRING_FORMATS: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname'
  ).split(' '),
);

export function isKnownFormat(format: string, type: string): boolean {
  if (type === '' || type === 'string') return STRING_FORMATS.has(format.replaceAll('-', ''));
  return (Object.hasOwn(NUMBER_FORMATS, type) ? (NUMBER_FORMATS[type] ?? []) : []).includes(format);
}
