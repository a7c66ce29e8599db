import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { confirmChange, DeclinedError } from '../../src/commands/confirmation.ts';
import { UsageError } from '../../src/core/errors.ts';

function terminal(isTTY = true) {
  return Object.assign(new PassThrough(), { isTTY });
}

/** Asks, and types the answer once the question is shown. */
function ask({ input = terminal(), output = terminal(), yes = false, question = 'Go on?' } = {}) {
  const abort = new AbortController();
  const options = { yes, input, output, signal: abort.signal, command: 'posts unschedule' };
  return { input, output, abort, answered: confirmChange(question, options) };
}

function shown(output: PassThrough): string {
  const text = (output.read() as Buffer | null)?.toString() ?? '';
  // Readline moves the cursor to the line's start and behind the question.
  return text.replace(/\u001b\[\d*[GJ]/gu, '');
}

describe('the question before a change', () => {
  it.each(['y', ' YES '])('accepts %j as yes', async (answer) => {
    const { input, output, answered } = ask();
    input.write(`${answer}\n`);
    await expect(answered).resolves.toBeUndefined();
    expect(shown(output)).toBe(`Go on? [y/N] ${answer}\r\n`);
  });

  it.each(['n', 'maybe'])('says on %j that nothing was changed', async (answer) => {
    const { input, answered } = ask();
    input.write(`${answer}\n`);
    await expect(answered).rejects.toMatchObject({
      name: 'DeclinedError',
      code: 'DECLINED',
      exitCode: 1,
      message: 'not confirmed; nothing was changed',
    });
  });

  it.each([
    ['Ctrl-C', (input: PassThrough) => input.write('\u0003')],
    ['Ctrl-D', (input: PassThrough) => input.write('\u0004')],
    ['the end of the input in the middle of a yes', (input: PassThrough) => input.end('y')],
    ['an input that breaks', (input: PassThrough) => input.destroy(new Error('read EIO'))],
  ])('treats %s as no and ends the line', async (_, act) => {
    const { input, output, answered } = ask();
    act(input);
    await expect(answered).rejects.toThrow(DeclinedError);
    expect(shown(output)).toMatch(/^Go on\? \[y\/N\] y?\n$/u);
  });

  it('is not asked when the command line says yes', async () => {
    const { output, answered } = ask({ yes: true, input: terminal(false) });
    await expect(answered).resolves.toBeUndefined();
    expect(shown(output)).toBe('');
  });

  it.each([
    ['input', { input: terminal(false) }],
    ['output', { output: terminal(false) }],
  ])('needs --yes when the %s is not a terminal', async (_, streams) => {
    const { answered, output } = ask({ ...streams, question: 'Unschedule "Autumn"?' });
    await expect(answered).rejects.toThrow(
      new UsageError(
        'posts unschedule makes a change and asks first, but there is no terminal to ask on: Unschedule "Autumn"? Add --yes to answer yes',
      ),
    );
    expect(shown(output)).toBe('');
  });
});
