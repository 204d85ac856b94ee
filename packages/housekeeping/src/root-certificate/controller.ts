import type { Controller } from '@flotilla/runtime';
import { fieldManager } from '../settings.ts';
import { kinds } from '../kinds.ts';
import { namespaceItself, namespaceOf } from '../namespace-of-change.ts';
import { configMapName, decideRootCertificate, isUpToDate, type RootCertificateState } from './decide.ts';

/** Publishes the server's CA certificate in every namespace. */
export function rootCertificateController(certificate: string): Controller<RootCertificateState> {
  return {
    name: 'root-ca-certificate-publisher',
    fieldManager,
    watches: [
      { kind: kinds.namespace, concerns: namespaceItself },
      {
        kind: kinds.configMap,
        concerns: (now, old) => (now && isUpToDate(now, certificate) ? [] : namespaceOf(now, old)),
        fieldSelector: `metadata.name=${configMapName}`,
      },
    ],
    observe: ({ name }, cache) => {
      const namespace = cache.get(kinds.namespace, { name });
      const configMap = cache.get(kinds.configMap, { namespace: name, name: configMapName });
      return namespace && { namespace, configMap, certificate };
    },
    decide: decideRootCertificate,
  };
}
