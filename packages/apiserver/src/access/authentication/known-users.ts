import type { User } from '@flotilla/kube';

/** Rules that caches hold for one user take some kilobytes. */
const maxUsers = 1024;

/**
 * Returns one object for all equal users. Caches hold what is known of a user by its object, so a new object for each request
 * would make every request of an impersonated user collect its rules again.
 */
export class KnownUsers {
  #users = new Map<string, User>();

  sameAs(user: User): User {
    const { name, uid = '', groups, extra } = user;
    if (extra !== undefined) return user;
    // No header value contains a line break.
    const key = `${name}\n${uid}\n${groups.join('\n')}`;
    const known = this.#users.get(key);
    if (known !== undefined) return known;
    if (this.#users.size >= maxUsers) this.#users = new Map();
    this.#users.set(key, user);
    return user;
  }
}
