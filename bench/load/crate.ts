import { namespace } from './config-map.ts';

/** A CRD with patterns, enums, limits and a default. Copies have groups of their own. */
export function crateDefinition(copy: number): Buffer {
  const group = groupOf(copy);
  const schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['serial', 'handling'],
        properties: {
          serial: { type: 'integer', minimum: 0 },
          handling: { type: 'string', enum: ['Upright', 'Any'] },
          sealed: { type: 'boolean' },
          owner: { type: 'string', maxLength: 63, pattern: '^[a-z0-9-]+$' },
          layers: { type: 'integer', default: 3 },
          goods: { type: 'array', maxItems: 100, items: goodsSchema },
        },
      },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
  const version = { name: 'v1', served: true, storage: true, subresources: { status: {} } };
  return json({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `crates.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'crates', singular: 'crate', kind: 'Crate', listKind: 'CrateList' },
      versions: [{ ...version, schema: { openAPIV3Schema: schema } }],
    },
  });
}

const goodsSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 63 },
    weight: { type: 'integer', minimum: 0, maximum: 1000 },
    note: { type: 'string', maxLength: 1000 },
  },
};

function groupOf(copy: number): string {
  return `bench-${copy}.example.com`;
}

export function cratesPath(copy: number): string {
  return `/apis/${groupOf(copy)}/v1/namespaces/${namespace}/crates`;
}

/** The body of a crate of 2.7 KB. `serial` makes one write differ from the next. */
export function crate(name: string, serial: number, resourceVersion?: string): Buffer {
  const metadata = {
    name,
    namespace,
    labels: { app: 'bench', shard: String(serial % 10) },
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const spec = { serial, handling: 'Upright', sealed: false, owner: `team-${serial % 7}`, goods };
  return json({ apiVersion: `${groupOf(0)}/v1`, kind: 'Crate', metadata, spec });
}

const note = 'nine barrels of salted herring, two of which leak a little, to be kept away from anything made of paper ';
const goods = Array.from({ length: 9 }, (_, weight) => ({
  name: `item-${weight}`,
  weight,
  note: note.repeat(3).slice(0, 225),
}));

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
