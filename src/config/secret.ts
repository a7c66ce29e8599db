import { inspect } from 'node:util';
import { PostledgerError, exitCodes } from '../core/errors.ts';

/** A secret of the config is not set in the environment. */
export class UnsetSecretError extends PostledgerError {
  readonly code = 'SECRET_UNSET';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
}

/** A value from the environment. Printing, logging or serialising it shows only its name. */
export class Secret {
  /** The environment variable. */
  readonly variable: string;
  /** Where the config names it, for example `jobs.yaml:14: workspaces.acme.api_key`. */
  readonly origin: string;
  readonly #value: string | undefined;

  constructor(variable: string, origin: string, value: string | undefined) {
    this.variable = variable;
    this.origin = origin;
    this.#value = value;
  }

  /** Reads the variable's current value from the environment. */
  static fromEnvironment(variable: string, environment = process.env): Secret {
    return new Secret(variable, 'environment', environment[variable]);
  }

  get isSet(): boolean {
    return this.#value !== undefined && this.#value !== '';
  }

  /** @throws UnsetSecretError if the variable is unset or empty */
  reveal(): string {
    if (this.#value === undefined || this.#value === '') {
      throw new UnsetSecretError(
        `${this.origin}: the environment variable ${this.variable} is not set; set it, or write it to .env beside the config`,
      );
    }
    return this.#value;
  }

  toString(): string {
    return `\${${this.variable}}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
