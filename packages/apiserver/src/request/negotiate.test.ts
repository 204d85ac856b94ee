import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '@flotilla/kube';
import { negotiate, negotiateStatus, transformations, type Offer } from './negotiate.ts';

const object: Offer = {
  at: 'object',
  transformations,
  hasProtobuf: true,
};
const list: Offer = { ...object, at: 'collection' };

function chosen(accept: string, offer = object): string {
  try {
    const { encoding, as } = negotiate(accept, offer);
    return `${encoding} ${as}`;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.message;
  }
}

describe('the representation of a response', () => {
  test('is the best that the client accepts', () => {
    assert.equal(chosen('application/yaml;q=0.5,application/vnd.kubernetes.protobuf'), 'protobuf object');
    assert.equal(chosen('application/json;as=Table;g=meta.k8s.io;v=v1,application/json'), 'json Table');
    assert.equal(chosen('text/html,*/*;q=0.1'), 'json object');
  });

  test('may have quality zero, as in Kubernetes', () => {
    assert.equal(chosen('application/json;q=0'), 'json object');
  });

  test('may be that of a stream for a path without one', () => {
    assert.equal(chosen('application/json;stream=watch'), 'json object');
    assert.match(chosen('application/yaml;stream=watch'), /^only the following media types are accepted: /);
  });

  test('must be one that the path offers', () => {
    const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
    assert.equal(chosen('text/html'), `406: Not Acceptable\n\nAvailable representations: ${types}`);
    assert.equal(chosen('application/*'), `406: Not Acceptable\n\nAvailable representations: ${types}`);
    const streams = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
    assert.equal(chosen('text/html', list), `406: Not Acceptable\n\nAvailable representations: ${types}, ${streams}`);
  });

  test('must be a transformation that the path offers', () => {
    const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
    const message = `only the following media types are accepted: ${types}`;
    assert.equal(chosen('application/json;as=Foo;g=meta.k8s.io;v=v1'), message);
    assert.equal(chosen('application/json;as=Table;g=meta.k8s.io;v=v2'), message);
  });

  test('is never a table in protobuf', () => {
    assert.match(chosen('application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1'), /^only the following/);
  });

  test('of a watch cannot be YAML', () => {
    const watch: Offer = { ...object, at: 'watch' };
    const streams = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
    assert.equal(
      chosen('application/yaml,application/json', watch),
      `only the following media types are accepted: ${streams}`,
    );
  });
});

describe('the representation of an error', () => {
  test('is that of the response, but never transformed', () => {
    assert.equal(negotiateStatus('application/yaml;q=0.1,application/json')?.encoding, 'json');
    assert.equal(negotiateStatus('application/vnd.kubernetes.protobuf,application/json')?.encoding, 'protobuf');
    assert.equal(negotiateStatus('application/json;as=Table;g=meta.k8s.io;v=v1,application/yaml')?.encoding, 'yaml');
  });

  test('is undefined if the client accepts only transformed ones', () => {
    assert.equal(negotiateStatus('application/json;as=Table;g=meta.k8s.io;v=v1'), undefined);
    assert.equal(negotiateStatus('text/html'), undefined);
  });
});
