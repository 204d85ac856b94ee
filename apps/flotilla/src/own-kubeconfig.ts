import { join } from 'node:path';

/** The administrator's access that a server writes to its data directory. */
export function kubeconfigIn(dataDirectory: string): string {
  return join(dataDirectory, 'kubeconfig');
}
