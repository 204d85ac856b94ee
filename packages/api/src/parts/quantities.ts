import { s } from '@flotilla/schema';

export const quantity = s.intOrString('An amount, as Kubernetes writes it: `500m`, `2Gi`.', {
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
});

/** Amounts by the name of their resource: `cpu: 500m`. */
export function quantities(description: string) {
  return s.map(quantity, description);
}
