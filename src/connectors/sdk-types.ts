// The provider interface of the AI SDK, taken from a package that implements it.
import type { AnthropicProvider } from '@ai-sdk/anthropic'

export type SdkModel = ReturnType<AnthropicProvider['languageModel']>
export type SdkCallOptions = Parameters<SdkModel['doGenerate']>[0]
export type SdkPrompt = SdkCallOptions['prompt']
