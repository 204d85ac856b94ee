import { describe } from 'node:test';
import { availability } from '@flotilla/testkit';
import { missingClient } from './clients-folder.ts';
import { playScenarios } from './play-scenarios.ts';

const kubectl = availability('kubectl', missingClient('kubectl'));

describe('kubectl prints what it prints on kube-apiserver', () => {
  playScenarios(kubectl, ({ name }) => name !== 'client-go');
});
