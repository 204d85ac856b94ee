/** A CRD with columns and a default, and without limits: its objects may have any size. */
const group = 'stall.example.com';

export function ledgersPath(namespace: string): string {
  return `/apis/${group}/v1/namespaces/${namespace}/ledgers`;
}

/** An object of about 1.3 MB. */
export function largeLedger(name: string): object {
  const entries = Array.from({ length: 8000 }, (_, number) => ({
    name: `entry-${number}`,
    amount: number,
    note: 'nine barrels of salted herring, two of which leak, to be kept away from paper: "as agreed"',
  }));
  return { apiVersion: `${group}/v1`, kind: 'Ledger', metadata: { name }, spec: { owner: 'harbour', entries } };
}

const entrySchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    amount: { type: 'integer' },
    note: { type: 'string' },
    isPaid: { type: 'boolean', default: false },
  },
};

export const ledgerDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `ledgers.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'ledgers', singular: 'ledger', kind: 'Ledger', listKind: 'LedgerList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Owner', type: 'string', jsonPath: '.spec.owner' },
          { name: 'Entries', type: 'string', jsonPath: '.spec.entries[*].name' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { owner: { type: 'string' }, entries: { type: 'array', items: entrySchema } },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};
