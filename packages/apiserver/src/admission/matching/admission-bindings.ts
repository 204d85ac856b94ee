import {
  celOf,
  createAuthorizer,
  createResourceCheck,
  type AccessDecision,
  type AuthorizationAttributes,
  type Bindings,
  type CelValue,
} from '@flotilla/cel';
import { serviceAccountUser, type JsonObject } from '@flotilla/kube';
import type { Attributes } from '../admission.ts';
import { reviewRequest } from './admission-review-request.ts';
import type { MatchedResource } from './match-criteria.ts';
import { namespaceOf } from './requested-object.ts';
import type { VersionedObjects } from './versioned-objects.ts';

/** The values of the variables in match conditions and policies for one request. Each is made when an expression first reads it. */
export class AdmissionBindings {
  readonly #attributes: Attributes;
  readonly #matched: MatchedResource;
  readonly #objects: VersionedObjects;
  readonly #namespace: JsonObject | undefined;
  #request: CelValue | undefined;

  /** Match conditions of webhooks have no `namespace`. */
  constructor(attributes: Attributes, matched: MatchedResource, objects: VersionedObjects, namespace?: JsonObject) {
    this.#attributes = attributes;
    this.#matched = matched;
    this.#objects = objects;
    this.#namespace = namespace;
  }

  get object(): CelValue {
    return celOf(this.#objects.object ?? null);
  }

  get oldObject(): CelValue {
    return celOf(this.#objects.oldObject ?? null);
  }

  get namespaceObject(): CelValue {
    return celOf(this.#namespace ?? null);
  }

  get request(): CelValue {
    return (this.#request ??= celOf(reviewRequest(this.#attributes, this.#matched)));
  }

  get authorizer(): CelValue {
    return createAuthorizer((asked) => decide(this.#attributes, asked));
  }

  get 'authorizer.requestResource'(): CelValue {
    const { resource, subresource, name } = this.#attributes;
    const { group, plural } = resource;
    const namespace = namespaceOf(this.#attributes);
    const requested = { group, resource: plural, subresource, namespace, name };
    return createResourceCheck((asked) => decide(this.#attributes, asked), requested);
  }
}

/** Programs read their variables by name. */
export function asBindings(bindings: AdmissionBindings): Bindings {
  return bindings as unknown as Bindings;
}

function decide({ user: requester, server }: Attributes, asked: AuthorizationAttributes): AccessDecision {
  const user = asked.serviceAccount ? serviceAccountUser(asked.serviceAccount) : requester;
  const { verb } = asked;
  if ('path' in asked) return server.access.authorize({ isResource: false, user, verb, path: asked.path });
  const { group, resource, subresource, namespace, name } = asked;
  return server.access.authorize({
    isResource: true,
    user,
    verb,
    group,
    version: '*',
    resource,
    subresource,
    namespace,
    name,
  });
}
