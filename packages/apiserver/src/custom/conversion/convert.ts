import type { KubeObject } from '@flotilla/kube';

/** Converts objects of any versions to one version. Objects of that version stay as they are. Async if a webhook converts. */
export type Convert = (
  objects: readonly KubeObject[],
  apiVersion: string,
) => readonly KubeObject[] | Promise<readonly KubeObject[]>;

/** The strategy `None`: versions differ only in apiVersion. */
export const convertByName: Convert = (objects, apiVersion) =>
  objects.map((object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion }));
