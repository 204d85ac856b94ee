/** The subjectAltName that a certificate request asks for (RFC 2986, RFC 5280 4.2.1.6), read as Go's decoder reads it. */
import { derObjectIdentifier, DerError, derOctetString, derSequence, derSet } from './der.ts';
import { expectDer, objectIdentifierText, readDer, type DerValue } from './der.ts';

export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  /** Four or sixteen bytes each. */
  readonly ipAddresses: readonly Uint8Array[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

const extensionRequestType = '1.2.840.113549.1.9.14';
const alternativeNameType = '2.5.29.17';

const emailTag = 0x81;
const dnsTag = 0x82;
const uriTag = 0x86;
const ipTag = 0x87;

/** Reads the attributes of a request, which end its signed part. */
export function readAlternativeNames(attributes: DerValue | undefined): AlternativeNames {
  const names = attributes ? requestedExtensions(attributes).flatMap(namesIn) : [];
  return {
    dnsNames: textsOf(names, dnsTag, 'dNSName'),
    ipAddresses: names.filter(({ tag }) => tag === ipTag).map(addressOf),
    emailAddresses: textsOf(names, emailTag, 'rfc822Name'),
    uris: textsOf(names, uriTag, 'uniformResourceIdentifier'),
  };
}

function requestedExtensions({ content }: DerValue): DerValue[] {
  return readDer(content).flatMap((attribute) => {
    const [type, values] = readDer(expectDer(attribute, derSequence).content);
    if (objectIdentifierText(expectDer(type, derObjectIdentifier)) !== extensionRequestType) return [];
    const [extensions] = readDer(expectDer(values, derSet).content);
    return readDer(expectDer(extensions, derSequence).content);
  });
}

/** An extension is its type, whether it is critical, and its content. */
function namesIn(extension: DerValue): DerValue[] {
  const fields = readDer(expectDer(extension, derSequence).content);
  if (objectIdentifierText(expectDer(fields[0], derObjectIdentifier)) !== alternativeNameType) return [];
  const [names] = readDer(expectDer(fields.at(-1), derOctetString).content);
  return readDer(expectDer(names, derSequence).content);
}

function textsOf(names: readonly DerValue[], wanted: number, called: string): string[] {
  return names
    .filter(({ tag }) => tag === wanted)
    .map(({ content }) => {
      if (content.some((byte) => byte > 0x7f)) throw new DerError(`x509: SAN ${called} is malformed`);
      return Buffer.from(content).toString('latin1');
    });
}

function addressOf({ content }: DerValue): Uint8Array {
  if (content.length === 4 || content.length === 16) return content;
  throw new DerError(`x509: cannot parse IP address of length ${content.length}`);
}
