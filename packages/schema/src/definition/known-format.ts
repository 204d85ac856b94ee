/** Formats that the server checks values against; all others are hints for people. */
const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Dashes in names do not count. */
const stringFormats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname'
  ).split(' '),
);

export function isKnownFormat(format: string, type: string): boolean {
  if (type === '' || type === 'string') return stringFormats.has(format.replaceAll('-', ''));
  return (Object.hasOwn(numberFormats, type) ? (numberFormats[type] ?? []) : []).includes(format);
}
