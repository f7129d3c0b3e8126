import type { Operation } from '../http/call.ts'
import { previewPath } from '../media/speech.ts'

/** code, name, gender, language, language code: 45 voices in a believable spread (primary, "Voice list"). */
const ROWS = `
en-us-ava Ava Female|English (United States)|en-US
en-us-noah Noah Male|English (United States)|en-US
en-us-grace Grace Female|English (United States)|en-US
en-us-liam Liam Male|English (United States)|en-US
en-us-zoe Zoe Female|English (United States)|en-US
en-us-mason Mason Male|English (United States)|en-US
en-gb-olivia Olivia Female|English (United Kingdom)|en-GB
en-gb-arthur Arthur Male|English (United Kingdom)|en-GB
en-gb-isla Isla Female|English (United Kingdom)|en-GB
en-gb-george George Male|English (United Kingdom)|en-GB
en-au-ruby Ruby Female|English (Australia)|en-AU
en-in-arjun Arjun Male|English (India)|en-IN
es-es-lucia Lucía Female|Spanish (Spain)|es-ES
es-es-mateo Mateo Male|Spanish (Spain)|es-ES
es-mx-ximena Ximena Female|Spanish (Mexico)|es-MX
es-mx-diego Diego Male|Spanish (Mexico)|es-MX
fr-fr-chloe Chloé Female|French (France)|fr-FR
fr-fr-hugo Hugo Male|French (France)|fr-FR
fr-ca-elodie Élodie Female|French (Canada)|fr-CA
de-de-lena Lena Female|German|de
de-de-jonas Jonas Male|German|de
it-it-giulia Giulia Female|Italian|it
it-it-marco Marco Male|Italian|it
pt-br-camila Camila Female|Portuguese (Brazil)|pt-BR
pt-br-rafael Rafael Male|Portuguese (Brazil)|pt-BR
pt-pt-ines Inês Female|Portuguese (Portugal)|pt-PT
nl-nl-sanne Sanne Female|Dutch|nl
pl-pl-zofia Zofia Female|Polish|pl
sv-se-astrid Astrid Female|Swedish|sv
da-dk-freja Freja Female|Danish|da
nb-no-ingrid Ingrid Female|Norwegian Bokmål|nb
fi-fi-aino Aino Female|Finnish|fi
tr-tr-elif Elif Female|Turkish|tr
el-gr-eleni Eleni Female|Greek|el
uk-ua-oksana Oksana Female|Ukrainian|uk
ar-eg-layla Layla Female|Arabic (Egypt)|ar-EG
he-il-noa Noa Female|Hebrew|he
hi-in-priya Priya Female|Hindi|hi
hi-in-rohan Rohan Male|Hindi|hi
id-id-putri Putri Female|Indonesian|id
vi-vn-linh Linh Female|Vietnamese|vi
ja-jp-yuki Yuki Female|Japanese|ja
ja-jp-haruto Haruto Male|Japanese|ja
ko-kr-minji Minji Female|Korean|ko
zh-cn-mei Mei Female|Chinese (Mandarin)|zh-CN
`

const PROVIDER = 'sandbox'

/** The Voice resource, field by field (primary, "Voice"). */
export const VOICES = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [who = '', language = '', languageCode = ''] = row.split('|')
    const [code = '', name = '', gender = ''] = who.split(' ')
    const id = `${PROVIDER}-${code}`
    return {
      id,
      object: 'voice',
      name,
      provider: PROVIDER,
      language,
      language_code: languageCode,
      gender,
      preview_url: previewPath(id),
    }
  })

export const findVoice = (id: string) => VOICES.find((voice) => voice.id === id)

/** listServiceVoices (primary, "GET /api/v1/voices/service"). */
export const voiceOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/voices/service',
    name: 'listServiceVoices',
    scope: 'voices:read',
    run: () => ({ status: 200, body: { object: 'list', data: VOICES } }),
  },
]
