import type { KubeObject } from '@flotilla/kube';

/** Turns objects of any versions into one version; those that have it already stay. Promised where a webhook does it. */
export type Convert = (
  objects: readonly KubeObject[],
  apiVersion: string,
) => readonly KubeObject[] | Promise<readonly KubeObject[]>;

/** The strategy `None`: versions differ in their name alone. */
export const convertByName: Convert = (objects, apiVersion) =>
  objects.map((object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion }));
