import { s } from '@flotilla/schema';

const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** Amounts by the name of their resource: `cpu: 500m`. */
export function quantities(description: string) {
  return s.map(s.intOrString('An amount, as Kubernetes writes quantities.', { pattern: QUANTITY }), description);
}
