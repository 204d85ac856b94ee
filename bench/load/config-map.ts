export const namespace = 'bench';
export const collectionPath = `/api/v1/namespaces/${namespace}/configmaps`;

const objectBytes = 2700;
const sentence = 'the quick brown fox jumps over the lazy dog while seven ships wait in the harbour for a calm wind ';
const lineBytes = 240;

/** The body of a ConfigMap of 2.7 KB. `serial` makes one write differ from the next. */
export function configMap(name: string, serial: number, resourceVersion?: string): Buffer {
  const metadata = {
    name,
    namespace,
    labels: { app: 'bench', shard: String(serial % 10) },
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const head = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata }).slice(0, -1);
  return Buffer.from(`${head},"data":{"serial":"${serial}",${filler}}}`);
}

/** Shared by all objects: creating it for each would cost the generator more than sending it. */
const filler = lines(objectBytes - 160).join(',');

function lines(bytes: number): string[] {
  const count = Math.ceil(bytes / (lineBytes + 11));
  return Array.from({ length: count }, (_, index) => {
    const length = Math.min(lineBytes, bytes - index * (lineBytes + 11) - 11);
    return `"key-${String(index).padStart(2, '0')}":"${sentence.repeat(3).slice(0, Math.max(0, length))}"`;
  });
}

export function nameOf(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(6, '0')}`;
}

/** The first value of a string field, without parsing the rest. */
export function fieldOf(json: Buffer, field: string): string {
  const start = json.indexOf(`"${field}":"`) + field.length + 4;
  return json.toString('latin1', start, json.indexOf('"', start));
}
